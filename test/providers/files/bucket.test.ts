import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#shared/config.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import type { Services } from '#shared/services.ts';

describe('the size of an object', () => {
  let status = 200;
  const server = createServer((_, response) => {
    response.writeHead(status, { 'Content-Length': status === 200 ? 7 : 0 }).end();
  });
  let bucket: ReturnType<typeof bucketOf>;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const config = readConfig({ S3_ENDPOINT: `http://127.0.0.1:${port}`, BUCKET_NAME: 'workspace' });
    bucket = bucketOf({ config } as Services);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each([
    [200, 7],
    [404, undefined],
    // S3 tells only those who may list the bucket that there is no such object.
    [403, undefined],
  ])('is, after %i, %s', async (responds, size) => {
    status = responds;
    expect(await bucket.size('uploads/x')).toBe(size);
  });

  it('is unknown when S3 fails', async () => {
    status = 400;
    await expect(bucket.size('uploads/x')).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});
