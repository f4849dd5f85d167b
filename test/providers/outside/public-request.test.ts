import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '#shared/providers/outside/public-address.ts';
import { NotPublic, publicRequest } from '#shared/providers/outside/public-request.ts';

describe('a public address', () => {
  it.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001:830::200e'])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254'],
    ...[
      '169.254.170.2',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.1',
      '192.0.2.1',
      '192.168.1.1',
      '198.18.0.1',
    ],
    ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '::', '::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1'],
    ...['ff02::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '64:ff9b::7f00:1'],
    ...['64:ff9b::a9fe:a9fe', '2002:7f00:1::', '2001::1', '2001:db8::1', '::127.0.0.1', 'localhost', ''],
  ])('is not %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('a public request', () => {
  const sent = { headers: {}, body: new Uint8Array(), signal: AbortSignal.timeout(5_000) };
  let asked: string[] = [];
  const resolvingTo = (...addresses: string[]) =>
    publicRequest({
      resolve: async (host) => {
        asked.push(host);
        return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      },
      isPublic: isPublicAddress,
      port: 443,
    });

  it.each([
    ...[
      'http://push.example/',
      'https://push.example:444/',
      'https://push.example:9001/',
      'ftp://push.example/',
    ],
    ...['https://127.0.0.1/', 'https://2130706433/', 'https://0x7f000001/', 'https://0177.0.0.1/'],
    ...['https://127.1/', 'https://[::1]/', 'https://[::ffff:169.254.169.254]/', 'https://8.8.8.8/'],
    'https://①②⑦.⓪.⓪.①/',
  ])('refuses %s before it asks for the name', async (url) => {
    asked = [];
    await expect(resolvingTo('8.8.8.8')(url, sent)).rejects.toBeInstanceOf(NotPublic);
    expect(asked).toEqual([]);
  });

  it.each([
    [['127.0.0.1']],
    [['169.254.169.254']],
    [['::1']],
    [['8.8.8.8', '10.0.0.1']],
    [['fd00:ec2::254', '2606:4700::1111']],
    [[]],
  ])('refuses a name with the addresses %s', async (addresses) => {
    asked = [];
    await expect(resolvingTo(...addresses)('https://push.example/', sent)).rejects.toBeInstanceOf(NotPublic);
    expect(asked).toEqual(['push.example']);
  });
});
