import type { Context } from '#shared/context.ts';
import { accessTokenOf } from '#shared/domain/mail/consent/access.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { sealingKeys } from '#shared/domain/platform/secrets/sealing-keys.ts';
import { LoginFailed, LoginRefused } from './failures.ts';
import { passwordLogin } from './login.ts';
import type { MailProtocol } from './ports.ts';
import type { ReachesMailServers, ServerLogin } from './server.ts';

type Ctx = Context<ReachesMailServers>;
type Place = Pick<Mailbox, 'account_id' | 'id' | 'provider' | 'mail_server'>;

/**
 * How the service signs in to a server of a mailbox, now. Throws LoginRefused when there is nothing to sign in with any
 * more, so that somebody gives it anew. `refused` is an access token that the server does not take.
 */
export async function loginTo(
  ctx: Ctx,
  mailbox: Place,
  protocol: MailProtocol,
  refused?: string,
): Promise<ServerLogin> {
  const stored = mailbox.mail_server?.[protocol];
  if (stored && mailbox.mail_server?.oauth) {
    const { host, port, tls, username } = stored;
    const access_token = await accessTokenOf(ctx, mailbox, refused);
    return { host, port, tls, username, secret: { access_token } };
  }
  const login = passwordLogin(await sealingKeys(ctx), mailbox, protocol);
  if (!login) throw new LoginRefused('The key of the password is gone');
  return login;
}

const isRefusal = (error: unknown) => error instanceof LoginRefused || error instanceof LoginFailed;

/** Opens a session. Providers end tokens before they expire: one that is refused is refreshed once. */
export async function openAt<Session>(
  ctx: Ctx,
  mailbox: Place,
  protocol: MailProtocol,
  open: (login: ServerLogin) => Promise<Session>,
): Promise<Session> {
  const login = await loginTo(ctx, mailbox, protocol);
  try {
    return await open(login);
  } catch (error) {
    if ('password' in login.secret || !isRefusal(error)) throw error;
    return open(await loginTo(ctx, mailbox, protocol, login.secret.access_token));
  }
}
