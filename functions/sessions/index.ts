export * as createOneTimeCode from './create-one-time-code.ts';
export * as createSession from './create-session.ts';
export * as createSessionAuthorization from './create-session-authorization.ts';
export * as deleteCurrentSession from './delete-current-session.ts';
export * as deleteSession from './delete-session.ts';
export * as listSessions from './list-sessions.ts';
