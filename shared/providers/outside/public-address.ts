import ipaddr from 'ipaddr.js';

/**
 * Whether it is an address of the public internet: not of this machine, of private networks, of the cloud's own services,
 * or one that stands for such an address (IPv4 in IPv6, NAT64, 6to4).
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast';
}
