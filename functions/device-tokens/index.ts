export * as createDeviceToken from './create-device-token.ts';
export * as deleteDeviceToken from './delete-device-token.ts';
export * as listDeviceTokens from './list-device-tokens.ts';
