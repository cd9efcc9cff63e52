#!/usr/bin/env bash
# Makes the whole content of the image in an empty folder: the binary, the libraries that it loads, the licences of
# these, certificates, a user, and the folder of the data. There is no shell in it.
#
# usage: root.sh BINARY FOLDER
set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: root.sh BINARY FOLDER" >&2
    exit 2
fi
binary="$(realpath "$1")"
root="$(realpath "$2")"
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
umask 022

install -D -m 755 "$binary" "$root/usr/local/bin/traitd"
install -D -m 644 -t "$root/usr/share/traitd" deploy/examples/ipad-mail.json deploy/examples/acme-configuration.json
install -D -m 644 -t "$root/usr/share/doc/traitd" LICENSE

# libcurl is for --log alone, and loaded only then.
curl="$(/sbin/ldconfig -p | awk '$1 == "libcurl.so.4" && !found++ { print $NF }')"
[ -n "$curl" ] || echo "root.sh: libcurl.so.4 is not here: the image cannot use --log" >&2
{
    ldd "$binary" ${curl:+"$curl"} | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /\/ld-[^\/:]*$/ { print $1 }'
    echo "$curl"
} | sed '/^$/d' | sort -u | while read -r library; do
    install -D -m 755 "$library" "$root$library"
    package="$(dpkg-query --search "$(realpath "$library")" "$library" 2>/dev/null | head -n 1 | cut -d: -f1)" || true
    if [ -e "/usr/share/doc/$package/copyright" ]; then
        install -D -m 644 "/usr/share/doc/$package/copyright" "$root/usr/share/doc/$package/copyright"
    fi
done

# The authorities that may vouch for an etcd.
if [ -e /etc/ssl/certs/ca-certificates.crt ]; then
    install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
fi
install -d "$root/etc"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
printf '%s\n' root:x:0:0:root:/:/nologin traitd:x:10001:0:traitd:/var/lib/traitd:/nologin >"$root/etc/passwd"
echo root:x:0: >"$root/etc/group"
install -d -m 1777 "$root/tmp"
# The user of the image is in the group 0, as are the users that some clusters choose.
install -d -m 770 "$root/var/lib/traitd"
