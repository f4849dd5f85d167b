import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Letter } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { messageOf } from './message.ts';

/** Letters as files `<time>-<id>.eml`, for the local run: any mail program opens them. */

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

/** 2026-11-23T12-05-53.123Z: file systems of Windows know no colons. */
const timeOf = (now: Date) => now.toISOString().replaceAll(':', '-');

export async function putIntoOutbox(letter: Letter, from: string, folder: string, now: Date): Promise<void> {
  const { message } = await composer.sendMail(messageOf(letter, from));
  const file = join(folder, `${timeOf(now)}-${letter.id}.eml`);
  await mkdir(folder, { recursive: true });
  // Whoever watches the folder sees whole mails only.
  await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
  await rename(`${file}.part`, file);
}
