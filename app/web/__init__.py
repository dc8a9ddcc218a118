"""The web pages: HTML, styles and modules that are served as they are (`clew.app.serving.page_routes`)."""
