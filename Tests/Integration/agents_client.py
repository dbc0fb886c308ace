"""A client of PyPI that lists the tools of a server and calls some: agents_client.py mcp|old|fastmcp MODE COMMAND CALLS.

COMMAND is the words of the server, CALLS pairs of a tool and its arguments, both JSON. Prints JSON: the names of the tools, and for each call
whether it is an error, and its text. `mcp` is version 2 and newer, `old` version 1.
"""

import asyncio
import contextlib
import json
import os
import sys

kind, mode, command, calls = sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), json.loads(sys.argv[4])


@contextlib.asynccontextmanager
async def connected():
    if kind == "fastmcp":
        from fastmcp import Client
        from fastmcp.client.transports import StdioTransport
        async with Client(StdioTransport(command[0], command[1:], env=dict(os.environ)), mode=mode) as client:
            yield client
    elif kind == "mcp":
        from mcp import Client, StdioServerParameters
        parameters = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
        async with Client(parameters, mode=mode) as client:
            yield client
    else:
        from mcp import ClientSession, StdioServerParameters
        from mcp.client.stdio import stdio_client
        parameters = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
        async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
            await session.initialize()
            yield session


async def main():
    async with connected() as client:
        listed = await client.list_tools()
        names = [tool.name for tool in getattr(listed, "tools", listed)]
        results = []
        for name, arguments in calls:
            options = {"raise_on_error": False} if kind == "fastmcp" else {}
            result = await client.call_tool(name, arguments, **options)
            failed = getattr(result, "is_error", None)
            results.append({
                "error": bool(getattr(result, "isError", False) if failed is None else failed),
                "text": "\n".join(block.text for block in result.content),
            })
    print(json.dumps({"tools": names, "results": results}))


asyncio.run(main())
