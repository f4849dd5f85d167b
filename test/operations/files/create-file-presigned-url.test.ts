import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { uploadFile } from '../../support/files.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('POST /files/{file_id}/presigned_urls', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  it('200: a link of five minutes, for whom sees the file', async () => {
    const { ada, linus } = workspace;
    const { id } = await uploadFile(
      ada,
      { name: 'Map' },
      { name: 'map.png', type: 'image/png', bytes: 'PNG' },
    );
    const params = { file_id: id };
    const { presigned_url } = (await ada.reader.createFilePresignedUrl({ params })).body;
    expect(presigned_url).toMatchObject({ file_name: 'map.png', content_type: 'image/png', size: 3 });
    const left = Date.parse(presigned_url.expires_at) - Date.now();
    expect(left).toBeGreaterThan(290_000);
    expect(left).toBeLessThanOrEqual(300_000);
    const found = await fetch(presigned_url.url);
    expect([found.headers.get('content-type'), await found.text()]).toEqual(['image/png', 'PNG']);
    expect(await codeOf(linus.reader.createFilePresignedUrl({ params }))).toBe('404 record_not_found');
    expect(await codeOf(ada.reader.createFilePresignedUrl({ params: { file_id: randomUUID() } }))).toBe(
      '404 record_not_found',
    );
  });
});
