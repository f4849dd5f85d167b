export * as createNotificationView from './create-notification-view.ts';
export * as createUser from './create-user.ts';
export * as deleteUser from './delete-user.ts';
export * as listUsers from './list-users.ts';
export * as retrieveCurrentUser from './retrieve-current-user.ts';
export * as retrieveUser from './retrieve-user.ts';
export * as updateUser from './update-user.ts';
