import { createHash, randomUUID } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { givenUpload, uploadFile } from '../../support/files.ts';
import { givenContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /files', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, linus } = workspace);
  });
  afterAll(() => workspace?.stop());

  const create = (user: TestUser, file: object) => user.api.createFile({ body: { file } as never });
  const statusOf = async (id: string) => (await ada.reader.retrieveUpload({ params: { id } })).body.upload;

  it('201: what was sent, private without links', async () => {
    const upload = await givenUpload(ada, { name: 'Offer.PDF', bytes: 'An offer.' });
    const { status, body } = await create(ada, { upload_id: upload.id });
    expect(status).toBe(201);
    expect(body.file).toEqual({
      id: expect.any(String),
      user_id: ada.user.id,
      name: 'Offer.PDF',
      file_name: 'Offer.PDF',
      extension: 'pdf',
      content_type: 'application/pdf',
      description: null,
      size: 9,
      source: 'upload',
      decorative: false,
      attachment_ids: [],
      thread_ids: [],
      contact_ids: [],
      organization_ids: [],
      deal_ids: [],
      space_ids: [],
      calendar_event_id: null,
      visibility: 'private',
      tags: [],
      shares: [],
      comments: null,
      created_at: expect.any(String),
      updated_at: null,
    });
    expect(await statusOf(upload.id)).toMatchObject({ status: 'used', file_id: body.file.id, url: null });
    expect(await codeOf(linus.reader.retrieveFile({ params: { id: body.file.id } }))).toBe(
      '404 record_not_found',
    );
  });

  it('201: named, described and linked, seen by who sees a linked record', async () => {
    const [open, hidden] = [await givenContact(ada), await givenContact(ada, { visibility: 'private' })];
    const links = { contact_ids: [open.id, hidden.id], name: ' Offer ', description: ' Signed ' };
    const file = await uploadFile(ada, links);
    expect(file).toMatchObject({ name: 'Offer', description: 'Signed', visibility: 'linked' });
    expect(file.contact_ids).toEqual([open.id, hidden.id]);
    const seen = (await linus.reader.retrieveFile({ params: { id: file.id } })).body.file;
    expect(seen).toMatchObject({ contact_ids: [open.id], comments: [], user_id: ada.user.id });
    const closed = await uploadFile(ada, { ...links, visibility: 'private' });
    expect(await codeOf(linus.reader.retrieveFile({ params: { id: closed.id } }))).toBe(
      '404 record_not_found',
    );
    const everyone = await uploadFile(ada, { visibility: 'account' });
    expect((await linus.reader.retrieveFile({ params: { id: everyone.id } })).status).toBe(200);
  });

  it('201: an empty file, one without an extension, and one whose SHA-256 was announced', async () => {
    const sha256 = createHash('sha256').update('An offer.').digest('hex').toUpperCase();
    expect(await uploadFile(ada, {}, { bytes: '', name: '.profile' })).toMatchObject({
      ...{ size: 0, extension: null },
    });
    expect(await uploadFile(ada, {}, { sha256 })).toMatchObject({ size: 9 });
  });

  it('409: an upload makes one file, also when two ask at once', async () => {
    const { id } = await givenUpload(ada);
    const both = await Promise.allSettled([create(ada, { upload_id: id }), create(ada, { upload_id: id })]);
    const codes = both.map((each) => (each.status === 'fulfilled' ? 201 : (each.reason as Error)));
    expect(codes.filter((code) => code === 201)).toHaveLength(1);
    expect(codes.find((code) => code !== 201)).toMatchObject({ status: 409, code: 'upload_already_used' });
    expect(await codeOf(create(ada, { upload_id: id }))).toBe('409 upload_already_used');
  });

  it('422: bytes that are not there, or others than announced; the upload can still be used', async () => {
    const upload = { file_name: 'a.txt', content_type: 'text/plain', size: 2 };
    const { id } = (await ada.api.createUpload({ body: { upload } })).body.upload;
    expect(await codeOf(create(ada, { upload_id: id }))).toBe('422 upload_incomplete');
    const { id: other } = await givenUpload(ada, { sha256: '0'.repeat(64) });
    expect(await codeOf(create(ada, { upload_id: other }))).toBe('422 upload_incomplete');
    expect(await statusOf(other)).toMatchObject({ status: 'received', file_id: null });
  });

  it('502 while storage fails; the upload can still be used', async () => {
    const { id } = await givenUpload(ada);
    const s3 = mockClient(S3Client).rejects(new Error('down'));
    expect(await codeOf(create(ada, { upload_id: id }))).toBe('502 storage_unavailable');
    s3.restore();
    expect((await create(ada, { upload_id: id })).status).toBe(201);
  });

  it('404: an upload or a link of somebody else; nothing is used up', async () => {
    const { id } = await givenUpload(ada);
    const hidden = await givenContact(ada, { visibility: 'private' });
    const theirs = await givenUpload(linus);
    for (const upload_id of [theirs.id, randomUUID()])
      expect(await codeOf(create(ada, { upload_id }))).toBe('404 record_not_found');
    expect(await codeOf(create(linus, { upload_id: theirs.id, contact_ids: [hidden.id] }))).toBe(
      '404 record_not_found',
    );
    for (const field of ['contact_ids', 'organization_ids', 'deal_ids', 'space_ids'])
      expect(await codeOf(create(ada, { upload_id: id, [field]: [randomUUID()] })), field).toBe(
        '404 record_not_found',
      );
    expect(await codeOf(create(ada, { upload_id: id, calendar_event_id: randomUUID() }))).toBe(
      '404 record_not_found',
    );
    expect((await create(ada, { upload_id: id })).status).toBe(201);
  });

  it('413: an archive that is larger than a file may be', async () => {
    const upload = { file_name: 'a.mbox', content_type: 'application/mbox', size: 100 * 1024 ** 2 + 1 };
    const { id } = (await ada.api.createUpload({ body: { upload } })).body.upload;
    expect(await codeOf(create(ada, { upload_id: id }))).toBe('413 file_too_large');
  });

  it.each<[object, Record<string, string>]>([
    [{}, { upload_id: 'required' }],
    [{ upload_id: 'x' }, { upload_id: 'invalid_format' }],
    [{ upload_id: randomUUID(), name: ' ' }, { name: 'required' }],
    [{ upload_id: randomUUID(), name: 'a'.repeat(256) }, { name: 'too_long' }],
    [{ upload_id: randomUUID(), description: 'a'.repeat(20_001) }, { description: 'too_long' }],
    [{ upload_id: randomUUID(), contact_ids: null }, { contact_ids: 'invalid' }],
    [{ upload_id: randomUUID(), deal_ids: Array(31).fill(randomUUID()) }, { deal_ids: 'too_long' }],
    [{ upload_id: randomUUID(), visibility: 'team' }, { visibility: 'invalid' }],
    [
      { upload_id: randomUUID(), size: 1, source: 'agent' },
      { size: 'not_allowed', source: 'not_allowed' },
    ],
  ])('400: %j', async (file, problems) => {
    expect(await problemsOf(create(ada, file))).toEqual(problems);
  });
});
