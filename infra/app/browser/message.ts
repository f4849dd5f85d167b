import { type Child, h } from './dom.ts';
import { attachmentList } from './downloads.ts';
import { dayAndTime } from './format.ts';
import { mailFrame } from './mail-frame.ts';
import type { Thread } from './thread-acts.ts';

/** A message of a thread: the newest is open, the others open on demand. */

type Message = NonNullable<Thread['messages']>[number];
type MessageBody = NonNullable<Message['body']>;

const text = (content: string) => h('div', { class: 'plain', dir: 'auto' }, content);

/** Opened by the reader, and made then. */
function later(summary: Child[], open: boolean, build: () => Child[]): HTMLElement {
  let built = false;
  const details = h('details', { open }, h('summary', {}, ...summary));
  const fill = () => {
    if (built || !details.open) return;
    built = true;
    for (const child of build()) if (child) details.append(child as Node);
  };
  details.addEventListener('toggle', fill);
  fill();
  return details;
}

function bodyOf(body: MessageBody | null, name: string): Child[] {
  if (!body) return [text('This message has no text.')];
  const written = body.new_html ?? body.sanitized_html;
  const quoted = body.quoted_html;
  return [
    written ? mailFrame(written, name) : text(body.new_plain_text ?? ''),
    (quoted || body.quoted_plain_text) &&
      later(['Quoted text'], false, () => [
        quoted ? mailFrame(quoted, `Quoted in: ${name}`) : text(body.quoted_plain_text ?? ''),
      ]),
    body.truncated && h('p', { class: 'quiet' }, 'Only the beginning of this message is shown.'),
  ];
}

function delivery({ delivery }: Message): Child {
  if (!delivery) return undefined;
  const names = delivery.recipients.map(({ email_address }) => email_address).join(', ');
  return h('p', { class: 'warning' }, `Delivery ${delivery.status}: ${names}`);
}

export function messageElement(message: Message, names: Record<string, string>, open: boolean): HTMLElement {
  const { from_email_address: from, to_email_addresses: to, cc_email_addresses: cc, sent_at } = message;
  const name = from ? (names[from] ?? from) : 'Unknown sender';
  const when = sent_at ? dayAndTime(sent_at) : '';
  const summary = [
    h('strong', {}, name),
    ' ',
    h('span', { class: 'quiet' }, when),
    h('span', { class: 'snippet quiet' }, message.snippet ?? ''),
  ];
  return h(
    'article',
    { class: 'message', 'aria-label': `${name}, ${when}` },
    later(summary, open, () => [
      h('p', { class: 'quiet addresses' }, `From ${from ?? 'unknown'} to ${[...to, ...cc].join(', ')}`),
      delivery(message),
      ...bodyOf(message.body, `Message from ${name}, ${when}`),
      attachmentList(message.attachments),
    ]),
  );
}
