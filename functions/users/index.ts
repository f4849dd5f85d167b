export * as createNotificationView from './create-notification-view.ts';
export * as listUsers from './list-users.ts';
export * as retrieveCurrentUser from './retrieve-current-user.ts';
