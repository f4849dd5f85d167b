import { withAssets } from '../support/assets.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';
import { AppBrowser } from './app-page.ts';

/** A workspace whose page at /app is open to a browser. */

export interface AppWorkspace {
  workspace: Workspace;
  app: AppBrowser;
  stop(): Promise<void>;
}

export async function startAppWorkspace(
  options: Parameters<typeof startWorkspace>[0] = {},
): Promise<AppWorkspace> {
  const workspace = await startWorkspace(options);
  const removeAssets = await withAssets(workspace.ctx);
  const app = await AppBrowser.start(workspace.url);
  return {
    workspace,
    app,
    async stop() {
      await app.stop();
      await workspace.stop();
      await removeAssets();
    },
  };
}
