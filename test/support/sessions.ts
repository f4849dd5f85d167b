import type { Context, Visitor } from '#shared/context.ts';
import { type OpenedSession, openSession } from '#shared/domain/identity/sessions/open.ts';
import type { Session } from '#shared/domain/identity/sessions/session.ts';
import { keys } from '#shared/table/keys.ts';
import type { ApiClient, TestUser, Workspace } from './workspace.ts';

const visitor: Visitor = { source_ip: '192.0.2.7', user_agent: 'Test/1.0' };

/** A request at this time. */
export function visit({ ctx }: Workspace, now = ctx.now): Context & Visitor {
  return { ...ctx, ...visitor, now };
}

export interface GivenSession extends OpenedSession {
  /** The client with its first access token. */
  api: ApiClient;
}

/** A session of the user as signing in opens it. */
export async function givenSession(
  workspace: Workspace,
  { user }: Pick<TestUser, 'user'>,
  now?: Date,
): Promise<GivenSession> {
  const opened = openSession(visit(workspace, now), user);
  await workspace.table.transact(opened.writes);
  return { ...opened, api: workspace.client(opened.tokens.access_token) };
}

export function storedSession(
  { table }: Workspace,
  { user_id, id }: Pick<Session, 'user_id' | 'id'>,
): Promise<Session | undefined> {
  return table.get<Session>(keys.session(user_id, id));
}
