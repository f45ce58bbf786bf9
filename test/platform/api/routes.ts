import { adminRoutes } from './admins';
import { answerRoutes } from './answers';
import { botRoutes } from './bot';
import { chatRoutes } from './chats';
import { commentRoutes } from './comments';
import { memberRoutes } from './members';
import { messageRoutes } from './messages';
import { pinRoutes } from './pins';
import type { Routes } from './route';
import { subscriptionRoutes } from './subscriptions';
import { updateRoutes } from './updates';
import { uploadRoutes } from './uploads';

/** Every operation of the interface. Anything else is unknown or was withdrawn. */
export const ROUTES: Routes = {
	...botRoutes,
	...chatRoutes,
	...pinRoutes,
	...memberRoutes,
	...adminRoutes,
	...messageRoutes,
	...commentRoutes,
	...answerRoutes,
	...subscriptionRoutes,
	...updateRoutes,
	...uploadRoutes,
};
