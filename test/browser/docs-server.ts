import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#shared/config.ts';
import { setServices } from '#shared/services.ts';
import { operations } from '../../functions/catalogue.ts';
import { collectAssets } from '../../infra/assets.ts';
import { startGateway } from '../../infra/local/gateway.ts';

/** The API below the path of a stage, where API Gateway puts it. Only /docs and /app are called, so there is no database. */

export interface DocsServer {
  url: string;
  groups: number;
  stop(): Promise<void>;
}

export async function serveDocs(prefix: string): Promise<DocsServer> {
  const assets = await mkdtemp(join(tmpdir(), 'docs-'));
  await collectAssets(assets, operations);
  const config = readConfig({
    TABLE_NAME: 'none',
    CURSOR_KEYS: 'test-key',
    ASSETS_DIR: assets,
    APP_PAGE: 'on',
  });
  setServices({ config, clock: () => new Date() } as never);
  const gateway = await startGateway(operations, 0);
  const stage = createServer((incoming, response) => {
    const path = incoming.url ?? '';
    if (!path.startsWith(`${prefix}/`)) {
      response.writeHead(403).end();
      return;
    }
    const { method, headers } = incoming;
    const outgoing = forward(`${gateway.url}${path.slice(prefix.length)}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => stage.listen(0, '127.0.0.1', resolve));
  const { port } = stage.address() as AddressInfo;
  const { tags } = JSON.parse(await readFile(join(assets, 'openapi.json'), 'utf8'));
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    groups: tags.length,
    stop: async () => {
      stage.closeAllConnections();
      stage.close();
      await gateway.close();
      setServices(undefined);
      await rm(assets, { recursive: true, force: true });
    },
  };
}
