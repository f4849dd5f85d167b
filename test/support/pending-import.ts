import { toMbox } from '../../infra/scripts/mbox-writer.ts';
import { eml } from './mail.ts';
import type { Workspace } from './workspace.ts';

/** Three messages of one thread. */
export const conversation = (name: string) => [
  eml({ id: `${name}-1@x`, subject: name, date: 'Mon, 02 Nov 2026 10:00:00 +0000' }),
  eml({
    id: `${name}-2@x`,
    subject: `Re: ${name}`,
    in_reply_to: `${name}-1@x`,
    date: 'Mon, 02 Nov 2026 11:00:00 +0000',
  }),
  eml({
    id: `${name}-3@x`,
    subject: `Re: ${name}`,
    references: [`${name}-1@x`, `${name}-2@x`],
    date: 'Mon, 02 Nov 2026 12:00:00 +0000',
  }),
];

/** An import of Ada's into her mailbox whose message is not delivered: the test runs it. */
export async function givenPendingImport(
  workspace: Workspace,
  mailbox_id: string,
  mail: Buffer[],
  options: { through_api?: boolean; archive?: Buffer } = {},
): Promise<string> {
  const { config } = workspace.ctx;
  const urls = config.queue_urls;
  if (!options.through_api) config.queue_urls = { 'import-mail': `${urls['import-mail']}-nobody` };
  const bytes = options.archive ?? toMbox(mail);
  const upload = { file_name: 'a.mbox', content_type: 'application/mbox', size: bytes.length };
  const { body } = await workspace.ada.api.createUpload({ body: { upload } });
  const headers = body.upload.headers ?? {};
  await fetch(body.upload.url as string, { method: 'PUT', headers, body: bytes });
  const started = await workspace.ada.api.createMailImport({
    params: { mailbox_id },
    body: { import: { upload_id: body.upload.id } },
  });
  config.queue_urls = urls;
  return started.body.import.id;
}
