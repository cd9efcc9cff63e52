"""The runner of the Python client for asyncio; README.md has the protocol. All but input is on one loop."""

import asyncio
import json
import sys
import threading

sys.dont_write_bytecode = True
from python import Runner, answered, failed, shown, traitd, write  # noqa: E402


class AsyncRunner(Runner):
    Client = traitd.AsyncClient

    async def iterate(self, **_):
        self.iterating = asyncio.create_task(self.write_all(self.watch))
        return {}

    @staticmethod
    async def write_all(watch):
        async for change in watch:
            write(event="next", **shown(change))

    async def close(self, **_):
        if self.watch:
            self.watch.close()
            await self.iterating
        return {}

    async def synced(self, timeoutMs, **_):
        return {"ready": await self.watch.synced(timeoutMs / 1000), "reason": self.watch.reason}

    async def call(self, name, arguments, **_):
        try:
            return await (self.variants(**arguments) if name == "variants" else self.answered(name, arguments))
        except (ValueError, traitd.TraitdError) as error:
            return failed(error)

    async def answered(self, name, arguments):
        return answered(name, await self.begun(name, arguments))

    async def variants(self, query, take=None, pauseMs=0):
        found, rows = self.session.variants(query), []
        try:
            async for row in found:
                rows.append(row)
                if len(rows) == take:
                    break
                await asyncio.sleep(pauseMs / 1000)
        except traitd.TraitdError as error:
            return {**failed(error), "rows": len(rows)}
        return {"result": {"head": found.head, "rows": rows, "end": found.end}}


async def main():
    runner, loop, lines = AsyncRunner(), asyncio.get_running_loop(), asyncio.Queue()
    loop.set_exception_handler(lambda _, context: write(event="fault", text=str(context)))

    def read():
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    while line := await lines.get():
        command = json.loads(line)
        try:
            members = getattr(runner, command["do"])(**{
                name: value for name, value in command.items() if name not in ("id", "do")})
            if asyncio.iscoroutine(members):
                members = await members
        except Exception as error:
            members = {"fault": repr(error)}
        write(id=command["id"], **members)
    await runner.close()


asyncio.run(main())
