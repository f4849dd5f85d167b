import { isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;

function groupsOf(part: string | undefined): string[] {
  return part ? part.split(':') : [];
}

/**
 * What limits count: an IPv4 address, or the first 64 bits of an IPv6 address, which is what one customer of a provider
 * has at least (RFC 6177).
 */
export function networkOf(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head, tail] = address.replace(/%.*$/, '').split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: GROUPS - first.length - last.length }, () => '0');
  const network = [...first, ...zeros, ...last].slice(0, GROUPS / 2);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
