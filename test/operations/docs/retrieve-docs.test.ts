import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /docs', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: a page that loads and runs only files of the API', async () => {
    const { status, headers, body } = await workspace.client().retrieveDocs();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe-eval|https?:/);
    expect(body).not.toMatch(/<script>|\son\w+=|https?:\/\//);
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  it('names existing files, below any path at which it is served', async () => {
    const { body } = await workspace.client().retrieveDocs();
    const files = [...body.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map((match) => match[1]);
    expect(files).toEqual(['docs/swagger-ui.css', 'docs/swagger-ui-bundle.js', 'docs/init.js']);
  });
});
