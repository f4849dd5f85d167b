import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '#shared/api/client.ts';
import type { ExportDraft } from '#shared/domain/exchange/exports/export.ts';
import type { ImportDraft } from '#shared/domain/exchange/imports/import.ts';
import { families } from '../../functions/catalogue.ts';
import { importArchive } from '../../infra/scripts/import-archive.ts';
import { toMbox } from '../../infra/scripts/mbox-writer.ts';
import { zipOf } from '../domain/mail/archives/archive-source.ts';
import { givenCalendar } from '../support/events.ts';
import { givenUpload } from '../support/files.ts';
import { calendarFile, vevent } from '../support/ics.ts';
import { givenLargeContacts, givenLargeEvents, recordsIn } from '../support/large-exports.ts';
import { rounds } from '../support/long.ts';
import { eml } from '../support/mail.ts';
import { type SeparateService, startSeparately } from '../support/memory.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** Files of 100 MB pass through the service in constant memory; CI takes a part of each. */

const MB = 1024 * 1024;
const SIZE = rounds(64, 100) * MB;
/** Bytes that the service may hold more than before. */
const ALLOWED = 40 * MB;

let workspace: Workspace;
let service: SeparateService;
let ada: TestUser;
let place: { mailbox_id: string; calendar_id: string };

beforeAll(async () => {
  workspace = await startWorkspace({ files: true });
  service = await startSeparately(workspace);
  ada = atService(workspace.ada);
  place = await givenCalendar(workspace, ada);
});
afterAll(async () => {
  await service?.stop();
  await workspace?.stop();
});

/** As a user who calls the service. */
function atService(user: TestUser): TestUser {
  return { ...user, api: createClient(families, { base_url: service.url, key: user.write_key }) };
}

/** Where a link of the API leads. */
async function locationOf(path: string): Promise<string> {
  const headers = { Authorization: `Bearer ${ada.read_key}` };
  const response = await fetch(`${service.url}${path}`, { headers, redirect: 'manual' });
  return `${response.status} ${response.headers.get('location')}`;
}

it('makes an upload a file with its hash checked, and only links to its bytes', async () => {
  const bytes = Buffer.alloc(SIZE, 'A line of a large file.\n');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { id: upload_id } = await givenUpload(ada, { bytes, sha256 });
  const { result, held } = await service.watch(ALLOWED, async () => {
    const { id } = (await ada.api.createFile({ body: { file: { upload_id } } })).body.file;
    const { url } = (await ada.api.createFilePresignedUrl({ params: { file_id: id } })).body.presigned_url;
    return [`302 ${url}`, await locationOf(`/files/${id}/download`)];
  });
  expect(held).toBeLessThan(ALLOWED);
  const range = `${SIZE - 24}-${SIZE - 1}`;
  for (const link of result) {
    const [status, url = ''] = link.split(' ');
    const part = await fetch(url, { headers: { Range: `bytes=${range}` } });
    expect([status, part.status, await part.text()]).toEqual([
      '302',
      206,
      bytes.toString('latin1', SIZE - 24),
    ]);
    expect(part.headers.get('content-range')).toBe(`bytes ${range}/${SIZE}`);
  }
});

const PIECE = MB / 2;
const LINE = `${'QUJD'.repeat(240)}\r\n`;
/** Base64, of which each line begins with `lead`. */
const piece = (lead = '') => `${lead}${LINE}`.repeat(Math.floor(PIECE / (lead.length + LINE.length)));
/** As many as fill a file, with a piece in each. */
const filled = (make: (i: number) => string): string[] =>
  Array.from({ length: Math.floor(SIZE / (PIECE + 1_000)) }, (_, i) => make(i));

const rows = () => ['Name,Scan\r\n', ...filled((i) => `Row ${i},"${piece()}"\r\n`)].join('');
const photo = () => `PHOTO;ENCODING=b:\r\n${piece(' ')}`;
const cards = () =>
  filled((i) => `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Card ${i}\r\n${photo()}END:VCARD\r\n`).join('');
const attachment = () => `ATTACH;ENCODING=BASE64:\r\n${piece(' ').trimEnd()}`;
const events = () => calendarFile(filled((i) => vevent(`large-${i}`, attachment())));

it.each<[name: string, type: string, make: () => string, draft: () => Partial<ImportDraft>]>([
  ['contacts.csv', 'text/csv', rows, () => ({ mapping: { Scan: null } })],
  ['contacts.vcf', 'text/vcard', cards, () => ({})],
  [
    'events.ics',
    'text/calendar',
    events,
    () => ({ record_type: 'calendar_events', calendar_id: place.calendar_id }),
  ],
])('imports %s to its end', async (name, type, make, draft) => {
  const { id: upload_id, size } = await givenUpload(ada, { name, type, bytes: make() });
  expect(size).toBeGreaterThan(0.99 * SIZE);
  const body = { import: { record_type: 'contacts' as const, dry_run: false, ...draft(), upload_id } };
  const { result, held } = await service.watch(ALLOWED, async () => {
    const { id } = (await ada.api.createImport({ body })).body.import;
    for (;;) {
      const found = (await ada.api.retrieveImport({ params: { id } })).body.import;
      if (found.finished_at !== null) return found;
      await setTimeout(100);
    }
  });
  const { length } = filled(() => '');
  expect(result).toMatchObject({ status: 'complete', rows_created: length, rows_failed: 0 });
  expect(held).toBeLessThan(ALLOWED);
});

const mails = () =>
  filled((i) =>
    eml({
      id: `large-${i}@x`,
      subject: `Large ${i}`,
      headers: [
        ...['MIME-Version: 1.0', 'Content-Transfer-Encoding: base64'],
        'Content-Type: application/octet-stream; name="a"',
      ],
      text: piece(),
    }).toString(),
  );

it('imports an archive of mail to its end, and finds it again in a zip', async () => {
  const mbox = toMbox(mails().map((each) => Buffer.from(each)));
  const archives = {
    'application/mbox': mbox,
    'application/zip': zipOf([{ name: 'a.mbox', content: mbox, stored: true }]),
  };
  const target = { base_url: service.url, key: ada.write_key, mailbox_id: place.mailbox_id };
  const counts = [];
  for (const [content_type, bytes] of Object.entries(archives)) {
    const archive = { file_name: 'archive', content_type, bytes };
    const { result, held } = await service.watch(ALLOWED, () => importArchive(target, archive));
    expect(held, content_type).toBeLessThan(ALLOWED);
    counts.push(result);
  }
  const { length } = filled(() => '');
  expect(counts).toMatchObject([
    { status: 'complete', messages_imported: length, messages_failed: 0 },
    { status: 'complete', messages_skipped: length, messages_failed: 0 },
  ]);
});

async function exported({ api }: TestUser, draft: ExportDraft) {
  const { id } = (await api.createExport({ body: { export: draft } })).body.export;
  for (;;) {
    const found = (await api.retrieveExport({ params: { id } })).body.export;
    if (found.finished_at !== null) return found;
    await setTimeout(100);
  }
}

/** All records of the file, each once, and in order. */
const whole = (count: number) => Array.from({ length: count }, (_, i) => i);

async function expectBounded(user: TestUser, draft: ExportDraft, count: number): Promise<void> {
  const { result, held } = await service.watch(ALLOWED, () => exported(user, draft));
  expect(result).toMatchObject({ status: 'complete', error: null });
  expect(result.size).toBeGreaterThan(0.99 * SIZE);
  const file = await (await fetch(`${result.url}`)).text();
  expect(recordsIn(draft.format, file)).toEqual(whole(count));
  expect(held).toBeLessThan(ALLOWED);
}

it('exports contacts to their end', async () => {
  const count = await givenLargeContacts(workspace, workspace.hank, SIZE);
  await expectBounded(atService(workspace.hank), { record_type: 'contacts', format: 'csv' }, count);
});

it('exports events to their end', async () => {
  const { calendar_id, count } = await givenLargeEvents(workspace, workspace.ada, SIZE);
  const filters = { calendar_id };
  await expectBounded(ada, { record_type: 'calendar_events', format: 'ics', filters }, count);
});
