export * as retrieveApp from './retrieve-app.ts';
