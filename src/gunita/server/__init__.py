"""The service over HTTP: an edge around Gunita that knows requests, credentials and status codes."""
