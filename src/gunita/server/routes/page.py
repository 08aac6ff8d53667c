"""The web page's files: open to everybody, as they hold nothing of anybody."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from gunita.server import page
from gunita.server.page import Asset
from gunita.server.problems import Problem

router = APIRouter(include_in_schema=False)


@router.get("/")
async def front(request: Request) -> Response:
    return sent(request, page.load().assets[page.FRONT])


@router.get("/page/{name:path}")
async def file(name: str, request: Request) -> Response:
    found = page.load().assets.get(name)
    if found is None or name == page.FRONT:
        raise Problem(404, "not_found", "There is no such file")
    return sent(request, found)


def sent(request: Request, asset: Asset) -> Response:
    """Send a file, compressed where the browser can read that, or say that the one it has is still right."""
    headers = {
        "ETag": asset.etag,
        "Cache-Control": "no-cache",
        "Vary": "Accept-Encoding",
        "Content-Security-Policy": page.load().policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    if asset.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(asset.compressed, 200, headers, asset.media_type)
    return Response(asset.body, 200, headers, asset.media_type)
