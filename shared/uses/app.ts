import { hasAppPageByDefault, readAppPage } from '#shared/app-page.ts';
import type { Deployment, Kind } from './kind.ts';

/** Reads `cdk -c app=on`; by default what the stage is for decides. */
export function readAppSetting(setting: Deployment['setting']): boolean {
  const usual = hasAppPageByDefault(setting('stage') ?? 'dev') ? 'on' : 'off';
  return readAppPage(setting('app') ?? usual, '-c app');
}

/** Whether the page at /app is served. It is nothing in AWS. */
export const app = {
  variables: (_, { setting, socket_url }) => ({
    APP_PAGE: readAppSetting(setting) ? 'on' : 'off',
    SOCKET_URL: socket_url,
  }),
  settings: { app: 'on or off: the page at /app, by default of dev and previews only' },
} as const satisfies Kind;
