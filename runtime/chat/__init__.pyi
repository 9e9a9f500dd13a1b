from runtime.chat.json_schema import get_json_schema as get_json_schema
from runtime.chat.storage import load_chat_template as load_chat_template
from runtime.chat.template import ChatTemplate as ChatTemplate
