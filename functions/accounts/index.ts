export * as closeAccount from './close-account.ts';
export * as retrieveAccount from './retrieve-account.ts';
export * as throttleCheck from './throttle-check.ts';
export * as updateAccount from './update-account.ts';
