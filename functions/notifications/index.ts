export * as countNotifications from './count-notifications.ts';
export * as dismissNotification from './dismiss-notification.ts';
export * as dismissNotifications from './dismiss-notifications.ts';
export * as listNotifications from './list-notifications.ts';
export * as markAllNotificationsRead from './mark-all-notifications-read.ts';
export * as markNotificationRead from './mark-notification-read.ts';
export * as markNotificationUnread from './mark-notification-unread.ts';
export * as undismissNotification from './undismiss-notification.ts';
