"""The type of header fields, as WSGI has them."""

HeaderFields = list[tuple[str, str]]  # the name and the value of each
