"""What gunicorn is told, with the settings that hold by default."""

from service.web.server import configuration
from service.web.settings import Settings

GUNICORN = configuration(Settings())
