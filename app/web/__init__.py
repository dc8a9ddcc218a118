"""The web pages as they are served: HTML, stylesheets and JavaScript modules without a build step.

`bundle` joins the modules of a page to one script. `clew.app.serving.page_routes` serves them.
"""
