import { below } from '#shared/addresses.ts';
import type { Context } from '#shared/context.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { pluralOf } from '#shared/domain/collaboration/records/types.ts';
import type { MailKind, OutgoingMail, Part } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { type Due, wantsMail } from '../sending/job.ts';
import type { Message } from '../sending/message.ts';
import { stillDue, type Told } from '../sending/told.ts';
import { unsubscribeToken } from './token.ts';

/**
 * Mail about notifications. What it says is decided when it is sent: who no longer sees the record, has read the
 * notification or turned this mail off gets none.
 */

type Ctx = Context<SeesRecords>;

const headline = ({ title, body }: Message) => (body === '' ? title : `${title}: ${body}`);

/** Where the app shows the record: under the name that its type has in the API. */
function pageOf({ config }: Ctx, { record_type, record_id }: Message): string | undefined {
  return below(config.addresses.app, pluralOf(record_type) ?? `${record_type}s`, record_id);
}

/** Where mail about notifications ends: for people a page, for mail programs a POST. */
function unsubscribeUrl({ config, now }: Ctx, whose: { account_id: string; user_id: string }) {
  const page = below(config.addresses.api, 'unsubscriptions');
  return page && `${page}?token=${unsubscribeToken(config.cursor_keys, whose, now)}`;
}

function mailTo(
  ctx: Ctx,
  { user }: Told,
  { subject, parts }: { subject: string; parts: Part[] },
): OutgoingMail {
  const url = unsubscribeUrl(ctx, { account_id: user.account_id, user_id: user.id });
  const note = 'You get this mail because you asked for mail about notifications.';
  return {
    to: user.email_address,
    subject,
    parts: [
      ...parts,
      url
        ? { note, link: { url, label: 'End this mail' } }
        : { note: `${note} Your settings end it: there, turn mail off for each event.` },
    ],
    unsubscribe_url: url,
  };
}

const opening = (url: string | undefined, label: string): Part =>
  url === undefined ? { paragraph: 'Open the app to see more.' } : { link: { url, label } };

/** Of one notification, at once. */
export const notificationMail: MailKind<Due & { account_id: string }, SeesRecords> = {
  name: 'notification',
  queue: 'mail-notifications',
  async write(ctx, { account_id, ...due }) {
    const [told] = await stillDue(ctx, { account_id, due: [due], wants: wantsMail });
    if (!told) return undefined;
    const said = headline(told.message);
    const parts: Part[] = [{ paragraph: said }, opening(pageOf(ctx, told.message), 'Open it')];
    return mailTo(ctx, told, { subject: said, parts });
  },
};

interface DigestData {
  account_id: string;
  user_id: string;
  notification_ids: string[];
  /** There were more than it names. */
  more: boolean;
}

/** Of all that came in an hour and is not read. */
export const digestMail: MailKind<DigestData, SeesRecords> = {
  name: 'notification_digest',
  queue: 'mail-notifications',
  async write(ctx, { account_id, user_id, notification_ids, more }) {
    const due = notification_ids.map((notification_id) => ({ user_id, notification_id }));
    const told = await stillDue(ctx, { account_id, due, wants: wantsMail });
    const [first] = told;
    if (!first) return undefined;
    const count = `${told.length}${more ? ' or more' : ''}`;
    const subject = told.length === 1 && !more ? headline(first.message) : `${count} new notifications`;
    const lines = told.map(({ message }) => ({ text: headline(message), url: pageOf(ctx, message) }));
    const parts: Part[] = [
      { paragraph: 'This is new since your last mail, and not read yet:' },
      { list: lines },
      ...(more ? [{ paragraph: 'There are more in the app.' }] : []),
      opening(below(ctx.config.addresses.app, 'notifications'), 'All notifications'),
    ];
    return mailTo(ctx, first, { subject, parts });
  },
};
