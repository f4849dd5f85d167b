export * as listUsers from './list-users.ts';
export * as retrieveCurrentUser from './retrieve-current-user.ts';
