import type { AgentRun } from '#shared/domain/assistant/agents/agent-run.ts';
import { threadText } from '#shared/domain/assistant/agents/thread-text.ts';
import type { NewMessage } from '#shared/domain/assistant/answering/assistant.ts';
import { arrivedAt, type NewMail } from './new-mail.ts';

/** A new message as the assistant is told of it. */
export async function told({ ctx, thread }: AgentRun, mail: NewMail): Promise<NewMessage> {
  const { name, email_address, time_zone } = mail.caller.user;
  return {
    ...(await threadText(ctx, thread, mail.until)),
    reader: { name, email_address, time_zone },
    arrived_at: new Date(arrivedAt(mail.message)).toISOString(),
  };
}

const MAX_NAME = 60;

/** Who wrote it and when, as the reader is told why something is proposed. */
export function writtenBy({ from, message, caller }: NewMail): string {
  const name = [...(from.name ?? from.email_address)].slice(0, MAX_NAME).join('');
  const day = new Date(arrivedAt(message)).toLocaleDateString('en-GB', {
    timeZone: caller.user.time_zone,
    dateStyle: 'long',
  });
  return `the mail of ${name} of ${day}`;
}
