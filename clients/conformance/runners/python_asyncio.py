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
            return answered(name, await self.begun(name, arguments))
        except (ValueError, traitd.TraitdError) as error:
            return failed(error)


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
