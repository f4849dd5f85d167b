export * as createWaitlistee from './create-waitlistee.ts';
