import { Shop } from './careless.ts'
import { testShop } from './tests.ts'

testShop(Shop)
