"""Network namespaces for the processes of a campaign, so that one of them can be cut off from the others while it
runs: one bridge between clients and replicas, one between replicas and etcd, one between the members of etcd.
"""

import os
import random
import shutil
import subprocess

# Addresses for tests of networks (RFC 2544), which no network has outside.
LINKS = {"front": "198.18.{}", "log": "198.18.{}", "peers": "198.19.{}"}
HERE = 1  # the last number of the address that this process has


def is_possible():
    return os.geteuid() == 0 and shutil.which("ip") is not None


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


class Host:
    """A namespace of one process."""

    def __init__(self, name, addresses):
        self.name, self.addresses = name, addresses
        self.command = ["ip", "netns", "exec", name]

    def cut(self, link):
        ip("-netns", self.name, "link", "set", link, "down")

    def join(self, link):
        ip("-netns", self.name, "link", "set", link, "up")


class Network:
    """All namespaces and bridges of one campaign. Use `remove` at the end."""

    def __init__(self):
        self.number = random.SystemRandom().randrange(0, 100) * 2
        self.hosts, self.bridges = [], []
        try:
            for link in LINKS:
                bridge = f"tt{self.number}{link}"
                self.bridges.append(bridge)
                ip("link", "add", bridge, "type", "bridge")
                ip("link", "set", bridge, "up")
                if link != "peers":
                    ip("address", "add", f"{self.address(link, HERE)}/24", "dev", bridge)
        except subprocess.CalledProcessError:
            self.remove()
            raise

    def address(self, link, host):
        # `front` and `log` have neighbouring networks.
        return f"{LINKS[link].format(self.number + (link == 'log'))}.{host}"

    def add(self, name, number, links):
        """A namespace with an address on each of these links."""
        host = Host(f"tt{self.number}{name}", {link: self.address(link, number) for link in links})
        ip("netns", "add", host.name)
        self.hosts.append(host)
        ip("-netns", host.name, "link", "set", "lo", "up")
        for link in links:
            end = f"tt{self.number}{link[0]}{number}"
            ip("link", "add", end, "type", "veth", "peer", "name", link, "netns", host.name)
            ip("link", "set", end, "master", f"tt{self.number}{link}", "up")
            ip("-netns", host.name, "address", "add", f"{host.addresses[link]}/24", "dev", link)
            host.join(link)
        return host

    def remove(self):
        """Removes everything that is there."""
        for host in self.hosts:
            subprocess.run(["ip", "netns", "delete", host.name], check=False, capture_output=True)
        for bridge in self.bridges:
            subprocess.run(["ip", "link", "delete", bridge], check=False, capture_output=True)
