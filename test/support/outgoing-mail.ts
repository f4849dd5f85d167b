import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import type { Letter } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { handler } from '../../functions/queues/send-mail.ts';
import { deliverMessages, openJobs } from './jobs.ts';
import type { Workspace } from './workspace.ts';

/** Mail that the service sent, read as its recipients do. */

/** Lets the worker send what is enqueued; returns how many messages failed. */
export async function sendOpenMail({ table }: Pick<Workspace, 'table'>): Promise<number> {
  const jobs = await openJobs(table, 'send-mail');
  const { failed } = await deliverMessages(
    handler,
    jobs.map(({ id }) => ({ job_id: id })),
  );
  return failed.length;
}

/** Oldest first. */
export async function mailsTo({ outbox }: Pick<Workspace, 'outbox'>, address: string) {
  const names = existsSync(outbox) ? (await readdir(outbox)).sort() : [];
  const mails = await Promise.all(
    names.map(async (name) => new PostalMime().parse(await readFile(join(outbox, name)))),
  );
  return mails.filter(({ to = [] }) => to.some((each) => each.address === address));
}

/** The code in the latest mail to the address, once what is enqueued is sent. */
export async function mailedCode(workspace: Workspace, address: string): Promise<string> {
  await sendOpenMail(workspace);
  const { text = '' } = (await mailsTo(workspace, address)).at(-1) ?? {};
  const code = /^\d{6}$/m.exec(text)?.[0];
  if (code === undefined) throw new Error('There is no mail with a code');
  return code;
}

/** A letter as the worker writes it. */
export const letter: Letter = {
  id: '0198c0de-0000-7000-8000-000000000001',
  to: 'ada@acme.example',
  subject: 'Zoë invites you',
  text: 'Your code:\n\n012345\n',
  html: '<p>012345</p>',
};
