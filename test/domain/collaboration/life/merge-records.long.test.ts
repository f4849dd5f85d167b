import { afterAll, beforeAll, describe, it } from 'vitest';
import { SHORT_STRIDE } from '../../../support/long.ts';
import { crashMerges } from '../../../support/merged-records.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

describe('a record that is merged into another one', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());

  it('moves everything, at whichever call its worker ends', () => crashMerges(workspace, SHORT_STRIDE));
});
