"""What the files of a response template are called, here and in model repositories."""

TEMPLATE_FILE = "response_template.json"
EXTENDED_FILE = "response_template.extended.json"  # in the dialect; counts where there are both
