import { seedUser } from '../../infra/local/seed.ts';
import { newId } from '../../shared/ids.ts';
import { keys } from '../../shared/table/keys.ts';
import { createClient } from '../../shared/api/client.ts';
