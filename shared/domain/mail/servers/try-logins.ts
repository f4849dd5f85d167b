import type { Config } from '#shared/config.ts';
import type { Context } from '#shared/context.ts';
import { ApiError, type FieldErrors } from '#shared/errors.ts';
import { providerFailed } from '#shared/provider-failed.ts';
import { HostRefused, LoginFailed, LoginRefused, ServerUnreachable } from './failures.ts';
import { type MailProtocol, mailPorts } from './ports.ts';
import type { ReachesMailServers, ServerLogin } from './server.ts';
import type { MailCredentials } from './written.ts';

/** Signs in to servers before anything is stored. */

/** Milliseconds: a request has 29 seconds. */
const PATIENCE = 20_000;

const protocols = ['imap', 'smtp'] as const;

/** 400 for ports that are not those of mail, unless the operator allows any. */
export function requirePorts({ mail_private_hosts }: Config, sent: MailCredentials): void {
  const wrong = protocols.filter((protocol) => {
    const ports: readonly number[] = mailPorts[protocol];
    const port = sent[protocol]?.port;
    return !mail_private_hosts && port !== undefined && !ports.includes(port);
  });
  if (wrong.length === 0) return;
  const fields = wrong.map((protocol) => [
    `${protocol}.port`,
    { code: 'invalid' as const, message: `must be ${mailPorts[protocol].join(' or ')}` },
  ]);
  throw new ApiError('invalid_request', { fields: Object.fromEntries(fields) });
}

/** What a failure says about a field; undefined when it is nobody's mistake. Nothing that a server says is passed on. */
type Problems = (protocol: MailProtocol, error: unknown) => FieldErrors | undefined;

/** Of servers as people name them. */
function problemOf(protocol: MailProtocol, error: unknown): FieldErrors | undefined {
  const on = (field: string, message: string) => ({
    [`${protocol}.${field}`]: { code: 'invalid' as const, message },
  });
  if (error instanceof LoginRefused) return on('password', 'is refused by the server');
  if (error instanceof LoginFailed) return on('password', 'does not sign in to the server');
  if (error instanceof HostRefused) return on('host', 'leads to no public mail server');
  if (error instanceof ServerUnreachable)
    return on('host', 'leads to no server that answers with a trusted certificate');
  return undefined;
}

type Logins = Partial<Record<MailProtocol, ServerLogin | null>>;

async function tryLogin(
  { ports, config }: Context<ReachesMailServers>,
  protocol: MailProtocol,
  login: ServerLogin,
): Promise<void> {
  const servers = ports.mail_server(config);
  const signal = AbortSignal.timeout(PATIENCE);
  const open = protocol === 'imap' ? servers.openStore : servers.openTransport;
  const opened = await open(login, signal);
  await opened.close();
}

/** 400 that names every field which a server refuses, 502 `provider_failed` for servers that want nobody now. */
export async function requireLogins(
  ctx: Context<ReachesMailServers>,
  logins: Logins,
  problems: Problems = problemOf,
): Promise<void> {
  const tried = await Promise.all(
    protocols.map(async (protocol) => {
      const login = logins[protocol];
      if (!login) return { protocol, error: undefined };
      return tryLogin(ctx, protocol, login).then(
        () => ({ protocol, error: undefined }),
        (error: unknown) => ({ protocol, error }),
      );
    }),
  );
  const failed = tried.filter(({ error }) => error !== undefined);
  const fields: FieldErrors = Object.assign(
    {},
    ...failed.map(({ protocol, error }) => problems(protocol, error)),
  );
  if (Object.keys(fields).length > 0) throw new ApiError('invalid_request', { fields });
  const [first] = failed;
  if (!first) return;
  throw providerFailed(first.error);
}
