import type { Command } from './command.ts';
import type { ImapMailbox } from './mailbox.ts';
import type { Session } from './session.ts';

/** By password, or by access token: LOGIN, AUTHENTICATE PLAIN and XOAUTH2. */

export type Users = ReadonlyMap<string, ImapMailbox>;

const REFUSED = 'NO [AUTHENTICATIONFAILED] Authentication failed.';

function enter(session: Session, mailbox: ImapMailbox | undefined, right: boolean): string {
  if (!mailbox || !right) return REFUSED;
  session.mailbox = mailbox;
  return 'OK Logged in';
}

/** User and token of `user=ada^Aauth=Bearer token^A^A`, where ^A is the character 1. */
function tokenOf(response: string): [user: string, token: string] {
  const parts = response.split(String.fromCharCode(1));
  const value = (prefix: string) => parts.find((part) => part.startsWith(prefix))?.slice(prefix.length) ?? '';
  return [value('user='), value('auth=Bearer ')];
}

async function responseOf(session: Session, given: string | undefined): Promise<string> {
  if (given === undefined) session.send('+ ');
  const text = given ?? (await session.input.line()) ?? '';
  return Buffer.from(text, 'base64').toString('utf8');
}

/** XOAUTH2 says what is wrong in a challenge, which the client answers with an empty line. */
async function refuseToken(session: Session): Promise<string> {
  session.send(`+ ${Buffer.from('{"status":"400","schemes":"Bearer"}').toString('base64')}`);
  await session.input.line();
  return REFUSED;
}

export async function signIn(session: Session, users: Users, { name, args }: Command): Promise<string> {
  if (name === 'LOGIN') {
    const [user = '', password = ''] = args.map((arg) => Buffer.from(String(arg), 'latin1').toString('utf8'));
    return enter(session, users.get(user), users.get(user)?.password === password);
  }
  const [mechanism, given] = args.map(String);
  const response = await responseOf(session, given);
  if (mechanism?.toUpperCase() === 'PLAIN') {
    const [, user = '', password = ''] = response.split('\0');
    return enter(session, users.get(user), users.get(user)?.password === password);
  }
  if (mechanism?.toUpperCase() !== 'XOAUTH2') return 'NO Unsupported authentication mechanism.';
  const [user, token] = tokenOf(response);
  const mailbox = users.get(user);
  if (!mailbox?.tokens.has(token)) return refuseToken(session);
  return enter(session, mailbox, true);
}
