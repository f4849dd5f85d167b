import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#shared/context.ts';
import type { Mailbox, MailTokens } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { LoginRefused } from '#shared/domain/mail/servers/failures.ts';
import { type OpenTokens, openTokens, sealedTokens } from '#shared/domain/mail/servers/login.ts';
import { sealingKeys } from '#shared/domain/platform/secrets/sealing-keys.ts';
import { type MailProvider, mailProviders } from '#shared/mail-providers.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { keys } from '#shared/table/keys.ts';
import { at } from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import type { AsksMailProviders, Tokens } from './provider.ts';

/**
 * The access token of a mailbox. It is refreshed before it expires, by one worker at a time: a provider may give a new
 * refresh token each time, and take one that comes twice for stolen (RFC 9700, section 4.14.2).
 */

type Ctx = Context<AsksMailProviders>;
type Place = Pick<Mailbox, 'account_id' | 'id' | 'provider' | 'mail_server'>;

/** Milliseconds before its end at which a token is refreshed: sessions begin with it, and last longer. */
const EARLY = 5 * 60_000;
/** Milliseconds that a token is used where the provider does not say. */
const USUAL = 30 * 60_000;
/** Milliseconds; a provider is asked for 14 seconds at most. */
const HOLD = 30_000;
/** Milliseconds, and how often: longer than a refresh takes. */
const PAUSE = 250;
const PAUSES = 60;

export const expiryOf = ({ seconds }: Pick<Tokens, 'seconds'>, now: Date): string =>
  new Date(now.getTime() + (seconds === undefined ? USUAL : seconds * 1_000)).toISOString();

async function requireTokens(
  ctx: Ctx,
  id: string,
  oauth: MailTokens | null | undefined,
): Promise<OpenTokens> {
  const tokens = oauth ? openTokens(await sealingKeys(ctx), id, oauth) : undefined;
  if (!tokens) throw new LoginRefused('There is no token any more');
  return tokens;
}

/** Its configuration may be gone, which is no fault of its users. */
export function requireProvider({ config }: Pick<Ctx, 'config'>, { provider }: Place): MailProvider {
  const found = mailProviders.find((each) => each === provider && config.mail_providers[each]);
  if (!found) throw new Error(`The service has no client of ${provider}`);
  return found;
}

/** Writes the tokens of a mailbox that has those `before`; false when another worker or its owner changed them. */
async function exchangeStored(
  { table }: Ctx,
  { account_id, id }: Place,
  before: MailTokens,
  after: MailTokens,
): Promise<boolean> {
  const written = await tryUpdate<Mailbox>(table, keys.mailbox(account_id, id), {
    set: { mail_server: at('oauth', after) },
    when: { mail_server: at('oauth', before) },
  });
  return written !== undefined;
}

const released = ({ held_until: _, ...tokens }: MailTokens): MailTokens => tokens;

/** Undefined when the mailbox got other tokens meanwhile. */
async function refreshed(
  ctx: Ctx,
  mailbox: Place,
  { held, known }: { held: MailTokens; known: OpenTokens },
): Promise<string | undefined> {
  let next: OpenTokens;
  try {
    const provider = requireProvider(ctx, mailbox);
    const got = await ctx.ports.mail_consents(ctx.config).refresh(provider, known.refresh_token);
    const { access_token, refresh_token = known.refresh_token } = got;
    next = { access_token, refresh_token, expires_at: expiryOf(got, ctx.clock()) };
  } catch (error) {
    await exchangeStored(ctx, mailbox, held, released(held));
    throw error;
  }
  const sealed = sealedTokens(await sealingKeys(ctx), mailbox.id, next);
  return (await exchangeStored(ctx, mailbox, held, sealed)) ? next.access_token : undefined;
}

/** Undefined while another worker refreshes. */
async function tryAccess(ctx: Ctx, mailbox: Place, refused: string | undefined): Promise<string | undefined> {
  const oauth = mailbox.mail_server?.oauth;
  const known = await requireTokens(ctx, mailbox.id, oauth);
  const now = ctx.clock().getTime();
  const lasts = Date.parse(known.expires_at) - now > EARLY;
  if (lasts && known.access_token !== refused) return known.access_token;
  const before = oauth as MailTokens;
  if ((before.held_until ?? 0) > now) return undefined;
  const held = { ...before, held_until: now + HOLD };
  if (!(await exchangeStored(ctx, mailbox, before, held))) return undefined;
  return refreshed(ctx, mailbox, { held, known });
}

/**
 * A token that is not `refused`. Throws LoginRefused when nobody lets the service in any more, and as `MailConsents`. The
 * mailbox may be as it was read some time ago.
 */
export async function accessTokenOf(ctx: Ctx, read: Place, refused?: string): Promise<string> {
  const key = keys.mailbox(read.account_id, read.id);
  let mailbox: Place | undefined = read;
  for (let pause = 0; pause < PAUSES; pause++) {
    if (!mailbox) throw new LoginRefused('The mailbox is gone');
    const token = await tryAccess(ctx, mailbox, refused);
    if (token !== undefined) return token;
    if (pause > 0) await sleep(PAUSE);
    mailbox = await ctx.table.get<Mailbox>(key);
  }
  throw new TryLater('Another worker refreshes the token', 10);
}
