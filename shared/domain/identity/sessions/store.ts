import type { Credential } from '#shared/domain/identity/credentials/credential.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Session, UsedSession } from './session.ts';

/** Whether requests with its access tokens are served. */
export function isOpen(session: Session | undefined, now: Date): session is Session {
  if (!session || session.ended_at !== undefined) return false;
  return session.expires_at === null || new Date(session.expires_at) > now;
}

export async function findSession(table: Table, user: string, id: string): Promise<Session | undefined> {
  return table.get<Session>(keys.session(user, id));
}

const PREFIX = keys.session('', '').SK;

/** The open sessions of a user, oldest first. */
export async function listOpenSessions(table: Table, user: string, now: Date): Promise<Session[]> {
  const all = await table.all<Session>(keys.session(user, '').PK, PREFIX);
  return all.filter((session) => isOpen(session, now));
}

/**
 * When a session was last used: by its newest access token, or else when it got that one. The item of a token is deleted
 * some time after it expired.
 */
export async function listUsedSessions(table: Table, user: string, now: Date): Promise<UsedSession[]> {
  const sessions = await listOpenSessions(table, user, now);
  const credentials = await table.getMany<Credential>(
    sessions.map(({ access_hash }) => keys.credential(access_hash)),
  );
  const byId = new Map(credentials.map(({ id, used_at }) => [id, used_at]));
  return sessions.map((session) => ({
    session,
    last_used_at: byId.get(session.id) ?? session.updated_at,
  }));
}
