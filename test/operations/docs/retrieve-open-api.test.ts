import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withAssets } from '../../support/assets.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /openapi.json', () => {
  let workspace: Workspace;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    workspace = await startWorkspace();
    remove = await withAssets(workspace.ctx);
  });
  afterAll(async () => {
    await workspace.stop();
    await remove();
  });

  it('200: the document, for everyone', async () => {
    const { status, headers, body } = await workspace.client().retrieveOpenApi();
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(body).toMatchObject({ openapi: '3.1.1', info: { version: '1.0.0' } });
  });

  it('ignores the Accept header, because the browser of the page sends others', async () => {
    const call = workspace.client().retrieveOpenApi({ headers: { Accept: 'text/html' } });
    await expect(call).resolves.toMatchObject({ status: 200 });
  });
});
