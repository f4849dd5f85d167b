export * as checkInitialization from './check-initialization.ts';
export * as completeInitialization from './complete-initialization.ts';
export * as createAccount from './create-account.ts';
export * as retrieveAccount from './retrieve-account.ts';
export * as throttleCheck from './throttle-check.ts';
export * as updateAccount from './update-account.ts';
