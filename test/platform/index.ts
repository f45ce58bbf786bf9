export { startPlatform, type Platform } from './platform';
export { NO_LIMITS, type Limits, type PlatformOptions, type Resolve } from './options';
export { Control } from './control';
export { PROFILES, type ProfileName } from './profiles';
export type * from './control-shown';
export type * from './control-types';
