export * as downloadAvatar from './download-avatar.ts';
